"""`python -m tfpc`."""

from tfpc.cli import main

if __name__ == "__main__":
    main()
