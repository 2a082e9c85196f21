"""Small τ-bench recordings made by hand, in the shape that the benchmark writes."""

import json

STOP = "###STOP###"


def user(text):
    return {"role": "user", "content": text}


def agent(text):
    return {"role": "assistant", "content": text}


def call(tool, arguments, *, identifier="call_1", text=None):
    written = arguments if isinstance(arguments, str) else json.dumps(arguments)
    return {
        "role": "assistant",
        "content": text,
        "tool_calls": [{"id": identifier, "type": "function", "function": {"name": tool, "arguments": written}}],
    }


def answer(tool, text, *, identifier="call_1"):
    return {"role": "tool", "tool_call_id": identifier, "name": tool, "content": text}


def row(task=0, trial=0, *, reward=1.0, messages=None, actions=(), outputs=(), graded=True, **more):
    info = {
        "task": {"user_id": "u", "actions": list(actions), "instruction": "You are u.", "outputs": list(outputs)},
        "reward_info": {"reward": reward} if graded else None,
        "user_cost": 0.001,
    }
    return {
        "task_id": task,
        "trial": trial,
        "reward": reward,
        "info": info,
        "traj": messages if messages is not None else [{"role": "system", "content": "policy"}, user("Hello"), agent("Hi"), user(STOP)],
        **more,
    }


def booking(**arguments):
    return {"name": "book_reservation", "kwargs": arguments}


def write(folder, rows, name="results.json"):
    path = folder / name
    path.write_text(rows if isinstance(rows, str) else json.dumps(rows))
    return path


def value(raw):
    """Decode a piece of JSON of a record."""
    return json.loads(bytes(raw))
