"""Inputs near the stated limits, as functions of a seed."""

import json
from random import Random

DIGITS = bytes.maketrans(bytes(range(256)), bytes(49 + byte % 9 for byte in range(256)))


def _row(random, vocab):
    """Weights from 1 to 9, as text: there are two million of them and nothing to escape."""
    drawn = random.getrandbits(8 * vocab).to_bytes(vocab, "little")
    return f"[{','.join(drawn.translate(DIGITS).decode())}]"


def _text(vocab, steps, eos=None):
    texts = []
    for tokens, drafts, targets, uniforms, next_uniform in steps:
        rows = f'"draft_weights": [{",".join(drafts)}], "target_weights": [{",".join(targets)}]'
        drawn = f'"uniforms": {json.dumps(uniforms)}, "next_uniform": "{next_uniform}"'
        texts.append(f'{{"draft_tokens": {json.dumps(tokens)}, {rows}, {drawn}}}')
    return f'{{"vocab_size": {vocab}, "steps": [{", ".join(texts)}], "eos": {json.dumps(eos)}}}\n'


def wide_rejection(seed):
    """One draft token and a vocabulary of 400,000; rejected, and the next one is near the end."""
    random, vocab = Random(seed), 400_000
    draft, target, bonus = (_row(random, vocab) for _ in range(3))
    token = next(i for i in range(vocab) if draft[2 * i + 1] > "7" and target[2 * i + 1] < "3")
    return _text(vocab, [([token], [draft], [target, bonus], ["0.9"], "0.99")])


def wide_bonus(seed):
    """Two steps without a draft in a vocabulary of 700,000; both draws are near the end."""
    random, vocab = Random(seed), 700_000
    steps = [
        ([], [], [_row(random, vocab)], [], next_uniform) for next_uniform in ("0.97", "0.999")
    ]
    return _text(vocab, steps)


def many_drafts(seed):
    """20,000 draft tokens in 50 steps, 49 tokens in the vocabulary; most are accepted."""
    random, vocab, k, steps = Random(seed), 49, 400, []
    for _ in range(50):
        tokens = [random.getrandbits(16) % vocab for _ in range(k)]
        rows = [_row(random, vocab) for _ in range(2 * k + 1)]
        uniforms = [f"0.0{random.getrandbits(20):07d}" for _ in range(k - 1)]
        last = f"0.{random.getrandbits(30) % 10**9:09d}"
        steps.append((tokens, rows[:k], rows[k:], [*uniforms, last], last))
    return _text(vocab, steps)
