//! Double-double arithmetic: a number as the sum of two, with twice the digits of one (Dekker, 1971).

/// `hi + lo` with `|lo|` at most half a last bit of `hi`.
#[derive(Clone, Copy)]
pub(super) struct Double {
    pub(super) hi: f64,
    pub(super) lo: f64,
}

impl Double {
    pub(super) const fn new(x: f64) -> Self {
        Self { hi: x, lo: 0.0 }
    }

    /// The exact sum of two numbers.
    pub(super) const fn sum(a: f64, b: f64) -> Self {
        let hi = a + b;
        let shifted = hi - a;
        Self { hi, lo: (a - (hi - shifted)) + (b - shifted) }
    }

    /// The exact product of two numbers.
    pub(super) const fn product(a: f64, b: f64) -> Self {
        // halves of 26 bits each (Veltkamp)
        const SPLIT: f64 = 134_217_729.0;
        let (a_hi, b_hi) = (SPLIT * a - (SPLIT * a - a), SPLIT * b - (SPLIT * b - b));
        let (a_lo, b_lo) = (a - a_hi, b - b_hi);
        let hi = a * b;
        Self { hi, lo: ((a_hi * b_hi - hi) + a_hi * b_lo + a_lo * b_hi) + a_lo * b_lo }
    }

    pub(super) const fn add(self, other: Self) -> Self {
        let sum = Self::sum(self.hi, other.hi);
        let low = Self::sum(self.lo, other.lo);
        let first = Self::sum(sum.hi, sum.lo + low.hi);
        Self::sum(first.hi, first.lo + low.lo)
    }

    pub(super) const fn neg(self) -> Self {
        Self { hi: -self.hi, lo: -self.lo }
    }

    /// Times a power of two.
    pub(super) const fn scale(self, power: f64) -> Self {
        Self { hi: self.hi * power, lo: self.lo * power }
    }

    pub(super) const fn mul(self, other: Self) -> Self {
        let product = Self::product(self.hi, other.hi);
        Self::sum(product.hi, product.lo + (self.hi * other.lo + self.lo * other.hi))
    }

    pub(super) const fn div(self, other: Self) -> Self {
        let first = self.hi / other.hi;
        let rest = self.add(other.mul(Self::new(-first)));
        let second = rest.hi / other.hi;
        let rest = rest.add(other.mul(Self::new(-second)));
        let sum = Self::sum(first, second);
        Self::sum(sum.hi, sum.lo + rest.hi / other.hi)
    }
}
