"""`python -m trasmallo` is the command `trasmallo`."""

from trasmallo.cli import main

if __name__ == "__main__":
    main()
