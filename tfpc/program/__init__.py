"""The parts of an emitted program that no spec changes: real Python, copied in.

Nothing here imports the rest of tfpc, and nothing imports this room: `codegen` reads
its text and copies, definition by definition, what a program needs.
"""
