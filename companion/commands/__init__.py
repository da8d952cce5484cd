"""The command line, one module a command: `add(subparsers)` declares it, `run(args)` does it."""
