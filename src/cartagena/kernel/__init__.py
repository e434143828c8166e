"""The rules of both games, written once as plain functions on whole numbers.

Start reading at ``layout`` (what the numbers mean), then ``moves`` (what may be done) and ``step`` (what it does).
Modules here hold only functions and whole-number constants. They import nothing from the rest of the package, and one
another by relative names, because the backends load them a second time under another name.
"""
