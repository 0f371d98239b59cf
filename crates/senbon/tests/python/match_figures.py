"""Figures of a match computed by others: mache and Python's own statistics.

Reads lines of JSON, {"pairs": [five counts], "elo0": …, "elo1": …}, and answers each with a
line of JSON. None of the code under test is used.
"""

import json
import math
import statistics
import sys

from mache import match_estimate

NORMAL = statistics.NormalDist()


def figures(pairs, elo0, elo1):
    points = [score for score, count in zip((0.0, 0.5, 1.0, 1.5, 2.0), pairs) for _ in range(count)]
    sprt = match_estimate.Sprt(points, elo0, elo1)
    answer = {"llr": sprt.llr, "lower": sprt.lower, "upper": sprt.upper, "verdict": sprt.verdict}
    estimate = match_estimate.Estimate(sum(points), 2 * len(points), points)
    answer["rate"] = estimate.score
    answer["elo"] = estimate.elo
    # Pairs that are all alike have no spread of their own to compare with.
    if len(set(points)) < 2:
        return answer
    rates = [score / 2 for score in points]
    error = statistics.stdev(rates) / math.sqrt(len(rates))
    answer["margin"] = NORMAL.inv_cdf(0.975) * error
    answer["superiority"] = NORMAL.cdf((statistics.mean(rates) - 0.5) / error)
    # mache divides by the number of pairs where an unbiased variance has one less.
    answer["mache_superiority"] = estimate.los
    slope = 400 / (math.log(10) * estimate.paired * (1 - estimate.paired))
    answer["mache_margin"] = estimate.margin / slope
    return answer


for line in sys.stdin:
    print(json.dumps(figures(**json.loads(line))), flush=True)
