"""The kernel and the players compiled to WebAssembly, for browsers.

``compiler`` turns exported functions into one wasm32 object file and links a module of it. Every room lists the
functions that it exports: ``exports`` here for the rules, ``players.compiled.exports`` for the players. The command
``make wasm`` (``tools/build_wasm.py``) gathers them.
"""
