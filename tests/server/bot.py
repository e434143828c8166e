"""A computer player for tests: picks a legal move of the view it is told, and speaks JSON lines."""

import json
import random
import sys

from cartagena import Position

chance = random.Random(int(sys.argv[1]) if len(sys.argv) > 1 and sys.argv[1].isdigit() else 1)
for line in sys.stdin:
    request = json.loads(line)
    moves = [str(move) for move in Position.parse(request["view"]).legal_moves]
    print(json.dumps({"id": request["id"], "move": chance.choice(moves), "view": request["view"]}), flush=True)
