"""Special functions, written so that plain Python, compiled CPU code and CUDA can all call them.

No exceptions, no keyword arguments, nothing but ``math``: a domain error is a NaN. The public
faces of the package check their inputs before they come here.
"""

import math

SQRT_HALF = 0.7071067811865476
LOG_SQRT_TWO_PI = 0.9189385332046727


def wbar(x: float) -> float:
    """W̄(x) = −W₋₁(−e^−x), the root w ≥ 1 of w − ln w = x, for x ≥ 1 (paper, Lemma 5).

    Solved for u = w − 1 in u − log1p(u) = x − 1, which loses nothing at either end: near x = 1
    the difference x − 1 is exact, and no e^−x is ever formed, so x may be as large as a double.

    >>> round(wbar(10.0), 12)
    12.527963201982
    """
    if not x >= 1.0:
        return math.nan
    excess = x - 1.0
    if excess < 2.0:
        s = math.sqrt(2.0 * excess)
        u = s * (1.0 + s * (1.0 / 3.0 + s * (1.0 / 36.0 + s * (-1.0 / 270.0 + s / 4320.0))))
        if excess < 1e-5:
            return 1.0 + u  # exact to the last bit here, where Newton would divide 0 by 0
    else:
        u = excess + math.log(x) * (1.0 + 1.0 / x)
    for _ in range(3):
        # Newton on u − log1p(u) − excess, whose derivative is u/(1 + u).
        u -= (u - math.log1p(u) - excess) * (1.0 + u) / u
    return 1.0 + u


def wbar_inverse(w: float) -> float:
    """The x with W̄(x) = w, that is w − ln w, for w ≥ 1."""
    if not w >= 1.0:
        return math.nan
    u = w - 1.0
    return 1.0 + (u - math.log1p(u))


def normal_cdf(x: float) -> float:
    """Φ(x), accurate relative to its own size in the lower tail."""
    return 0.5 * math.erfc(-x * SQRT_HALF)


def normal_log_cdf(x: float) -> float:
    """ln Φ(x) without underflow: x = −10⁸ is as good as x = 0."""
    if x > 0.0:
        return math.log1p(-0.5 * math.erfc(x * SQRT_HALF))
    if x > -20.0:
        return math.log(0.5 * math.erfc(-x * SQRT_HALF))
    # Asymptotic series of the Mills ratio; its 8th term is below 1e-16 of the result from 20 on.
    y = 1.0 / (x * x)
    series = 1.0 - y * (
        1.0 - 3.0 * y * (1.0 - 5.0 * y * (1.0 - 7.0 * y * (1.0 - 9.0 * y * (1.0 - 11.0 * y))))
    )
    return -0.5 * x * x - LOG_SQRT_TWO_PI - math.log(-x) + math.log(series)


def normal_quantile(p: float) -> float:
    """Φ⁻¹(p) by Wichura's algorithm AS 241 (PPND16), about 16 digits; ±inf at 0 and 1."""
    q = p - 0.5
    if abs(q) <= 0.425:
        return _central_quantile(q)
    tail = min(p, 1.0 - p)
    if tail > 0.0:
        return math.copysign(_tail_quantile(math.sqrt(-math.log(tail))), q)
    return math.copysign(math.inf, q) if tail == 0.0 else math.nan


def normal_log_quantile(log_p: float) -> float:
    """The x with ln Φ(x) = log_p, for any log_p ≤ 0, however small."""
    if log_p > -0.6931471805599453:
        if log_p >= 0.0:
            return math.inf if log_p == 0.0 else math.nan
        upper = -math.expm1(log_p)
        if upper > 0.075:
            return _central_quantile(0.5 - upper)
        return _tail_quantile(math.sqrt(-math.log(upper)))
    if log_p > -2.5902671654458267:  # ln 0.075
        return _central_quantile(math.exp(log_p) - 0.5)
    if log_p > -700.0:
        return -_tail_quantile(math.sqrt(-log_p))
    # x² = −2 ln p − ln(2π x²) + small; Newton then has next to nothing left to do.
    x = -math.sqrt(-2.0 * log_p - math.log(-2.0 * log_p) - 2.0 * LOG_SQRT_TWO_PI)
    for _ in range(2):
        log_cdf = normal_log_cdf(x)
        log_density = -0.5 * x * x - LOG_SQRT_TWO_PI
        x -= (log_cdf - log_p) * math.exp(log_cdf - log_density)
    return x


def gamma_quantile(shape: float, u: float) -> float:
    """The x with P(X ≤ x) = u of a gamma variable of scale 1, for 0 < u < 1; 0 if it underflows.

    Newton's method, in the lower half on ln P as a function of ln x, which is concave, and in the
    upper half on ln(1 − P) as a function of x, which is concave or convex: so it cannot overshoot
    more than once. It begins at Wilson and Hilferty's approximation, or where x^a/Γ(a + 1), which
    is not below P, is u.
    """
    log_gamma = math.lgamma(shape)
    x = math.exp((math.log(u) + math.log(shape) + log_gamma) / shape)
    if x < 1e-300:
        return 0.0
    if shape >= 1.0:
        root = 1.0 / (3.0 * math.sqrt(shape))
        cube = max(0.0, 1.0 - root * root + root * normal_quantile(u))
        x = max(x, shape * cube * cube * cube)
    for _ in range(40):
        density = math.exp(shape * math.log(x) - x - log_gamma)  # times x
        if x < shape + 1.0:
            below = density * _gamma_series(shape, x)
            above = 1.0 - below
        else:
            above = density * _gamma_fraction(shape, x)
            below = 1.0 - above
        if u <= 0.5:
            better = x * math.exp(math.log(u / below) * below / density)
        else:
            better = max(0.5 * x, x + x * math.log(above / (1.0 - u)) * above / density)
        change = abs(better - x)
        x = better
        if change <= 1e-9 * x:  # the next one would be its square, or rounding
            break
    return x


def _gamma_series(shape: float, x: float) -> float:
    """Σ_i x^i/(a(a + 1)⋯(a + i)): P(X ≤ x) over x times the density."""
    place, term = shape, 1.0 / shape
    total = term
    while term > 1e-17 * total:
        place += 1.0
        term *= x / place
        total += term
    return total


def _gamma_fraction(shape: float, x: float) -> float:
    """P(X > x) over x times the density: a continued fraction, by Lentz's method."""
    b = x + 1.0 - shape
    c = 1e300
    d = 1.0 / b
    value = d
    for i in range(1, 100_000):
        factor = -i * (i - shape)
        b += 2.0
        d = 1.0 / (factor * d + b)
        c = b + factor / c
        ratio = c * d
        value *= ratio
        if abs(ratio - 1.0) < 1e-16:
            break
    return value


# Polynomials by Estrin's scheme: shorter chains of operations than Horner's, so faster.


def _central_quantile(q: float) -> float:
    """AS 241 for |p − 1/2| = |q| ≤ 0.425."""
    r = 0.180625 - q * q
    r2 = r * r
    r4 = r2 * r2
    numerator = (
        (3.3871328727963666080e0 + 1.3314166789178437745e2 * r)
        + (1.9715909503065514427e3 + 1.3731693765509461125e4 * r) * r2
        + (
            (4.5921953931549871457e4 + 6.7265770927008700853e4 * r)
            + (3.3430575583588128105e4 + 2.5090809287301226727e3 * r) * r2
        )
        * r4
    )
    denominator = (
        (1.0 + 4.2313330701600911252e1 * r)
        + (6.8718700749205790830e2 + 5.3941960214247511077e3 * r) * r2
        + (
            (2.1213794301586595867e4 + 3.9307895800092710610e4 * r)
            + (2.8729085735721942674e4 + 5.2264952788528545610e3 * r) * r2
        )
        * r4
    )
    return q * numerator / denominator


def _tail_quantile(s: float) -> float:
    """AS 241 outside the centre, from s = √(−ln(tail probability)); positive."""
    if s <= 5.0:
        r = s - 1.6
        r2 = r * r
        r4 = r2 * r2
        numerator = (
            (1.42343711074968357734e0 + 4.63033784615654529590e0 * r)
            + (5.76949722146069140550e0 + 3.64784832476320460504e0 * r) * r2
            + (
                (1.27045825245236838258e0 + 2.41780725177450611770e-1 * r)
                + (2.27238449892691845833e-2 + 7.74545014278341407640e-4 * r) * r2
            )
            * r4
        )
        denominator = (
            (1.0 + 2.05319162663775882187e0 * r)
            + (1.67638483018380384940e0 + 6.89767334985100004550e-1 * r) * r2
            + (
                (1.48103976427480074590e-1 + 1.51986665636164571966e-2 * r)
                + (5.47593808499534494600e-4 + 1.05075007164441684324e-9 * r) * r2
            )
            * r4
        )
        return numerator / denominator
    r = s - 5.0
    r2 = r * r
    r4 = r2 * r2
    numerator = (
        (6.65790464350110377720e0 + 5.46378491116411436990e0 * r)
        + (1.78482653991729133580e0 + 2.96560571828504891230e-1 * r) * r2
        + (
            (2.65321895265761230930e-2 + 1.24266094738807843860e-3 * r)
            + (2.71155556874348757815e-5 + 2.01033439929228813265e-7 * r) * r2
        )
        * r4
    )
    denominator = (
        (1.0 + 5.99832206555887937690e-1 * r)
        + (1.36929880922735805310e-1 + 1.48753612908506148525e-2 * r) * r2
        + (
            (7.86869131145613259100e-4 + 1.84631831751005468180e-5 * r)
            + (1.42151175831644588870e-7 + 2.04426310338993978564e-15 * r) * r2
        )
        * r4
    )
    return numerator / denominator
