"""The words and rules as they are looked up: read from their classes, shown as pages."""
