//! The scalars that formulas are generic over: a number of one world, or the numbers of four worlds in the
//! lanes of a SIMD register, a world a lane.
//!
//! A formula that is written once for a [`Real`] makes the same operations in the same order for both, and so
//! has the same bits in each lane. Vectors are computed with as [`Components`]: of one world they lie in one
//! register, all components at once; of four worlds each component is a register of its own, and permuting
//! components costs nothing.
//!
//! ```
//! use kinetree_math::real::Real;
//! use wide::f64x4;
//!
//! fn energy<T: Real>(mass: T, speed: T) -> T {
//!     T::splat(0.5) * mass * speed * speed
//! }
//! let four = energy(f64x4::splat(2.0), f64x4::new([1.0, 2.0, 3.0, 4.0]));
//! assert_eq!(four.to_array(), [1.0, 2.0, 3.0, 4.0].map(|speed| energy(2.0, speed)));
//! ```

use crate::lane_trig::sincos;
use core::ops::{Add, AddAssign, Div, Mul, Sub};
use wide::{CmpEq, CmpLt, f64x4};

/// A number of one world (`f64`) or of four worlds (`f64x4`).
pub trait Real:
    nalgebra::Scalar
    + Copy
    + Default
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + AddAssign
{
    /// Answers to a comparison.
    type Mask: Mask;
    /// Vectors of space.
    type Vec3: Components<3, Scalar = Self>;
    /// Quaternions.
    type Vec4: Components<4, Scalar = Self>;
    /// Zero.
    const ZERO: Self;
    /// One.
    const ONE: Self;

    /// The same number in all worlds.
    #[must_use]
    fn splat(x: f64) -> Self;

    /// The same numbers in all worlds.
    #[inline(always)]
    #[must_use]
    fn splat_all<const N: usize>(numbers: &[f64; N]) -> [Self; N] {
        core::array::from_fn(|i| Self::splat(numbers[i]))
    }

    /// `−x`, with the opposite sign of zeros, too.
    #[must_use]
    fn negated(self) -> Self;

    /// Magnitude.
    #[must_use]
    fn magnitude(self) -> Self;

    /// Square root.
    #[must_use]
    fn root(self) -> Self;

    /// Sine and cosine, with the bits of [`libm::sincos`].
    #[must_use]
    fn sine_cosine(self) -> (Self, Self);

    /// Whether it is below another number.
    #[must_use]
    fn below(self, other: Self) -> Self::Mask;

    /// Whether it equals another number.
    #[must_use]
    fn equals(self, other: Self) -> Self::Mask;

    /// World by world, `yes` where the mask is set, `no` elsewhere.
    #[must_use]
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self;

    /// [`select`](Self::select) for each of several numbers.
    #[inline(always)]
    #[must_use]
    fn select_all<const N: usize>(mask: Self::Mask, yes: &[Self; N], no: &[Self; N]) -> [Self; N] {
        core::array::from_fn(|i| Self::select(mask, yes[i], no[i]))
    }

    /// Angular and linear part of a spatial vector.
    #[inline(always)]
    #[must_use]
    fn parts(v: &[Self; 6]) -> (Self::Vec3, Self::Vec3) {
        (Self::Vec3::load(&[v[0], v[1], v[2]]), Self::Vec3::load(&[v[3], v[4], v[5]]))
    }
}

/// Answers to a comparison, one for each world.
pub trait Mask: Copy {
    /// Whether it holds in all worlds.
    #[must_use]
    fn all(self) -> bool;

    /// Whether it holds in some world.
    #[must_use]
    fn any(self) -> bool;

    /// Whether both hold.
    #[must_use]
    fn and(self, other: Self) -> Self;
}

/// `N` components to compute with, of one world or of four.
pub trait Components<const N: usize>:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self>
{
    /// A component.
    type Scalar: Real;

    /// Components from memory.
    #[must_use]
    fn load(from: &[Self::Scalar; N]) -> Self;

    /// Components as they lie in memory.
    #[must_use]
    fn store(self) -> [Self::Scalar; N];

    /// The same number in all components.
    #[must_use]
    fn splat(x: Self::Scalar) -> Self;

    /// Components that are the same in all worlds.
    #[inline(always)]
    #[must_use]
    fn constant(numbers: &[f64; N]) -> Self {
        Self::load(&Self::Scalar::splat_all(numbers))
    }

    /// Component `order[i]` as component `i`.
    #[must_use]
    fn permuted(self, order: [usize; N]) -> Self;

    /// Negates the components where `signs` is `-0.0` instead of `0.0`.
    #[must_use]
    fn flipped(self, signs: [f64; N]) -> Self;
}

/// Components of four worlds, each a lane of all worlds.
#[derive(Clone, Copy, Debug)]
pub struct Rows<const N: usize>([f64x4; N]);

impl Mask for bool {
    #[inline(always)]
    fn all(self) -> bool {
        self
    }

    #[inline(always)]
    fn any(self) -> bool {
        self
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        self & other
    }
}

impl Mask for f64x4 {
    #[inline(always)]
    fn all(self) -> bool {
        self.move_mask() == 0b1111
    }

    #[inline(always)]
    fn any(self) -> bool {
        self.move_mask() != 0
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        self & other
    }
}

impl Real for f64 {
    type Mask = bool;
    type Vec3 = f64x4;
    type Vec4 = f64x4;
    const ZERO: Self = 0.0;
    const ONE: Self = 1.0;

    #[inline(always)]
    fn splat(x: f64) -> Self {
        x
    }

    #[inline(always)]
    fn negated(self) -> Self {
        -self
    }

    #[inline(always)]
    fn magnitude(self) -> Self {
        self.abs()
    }

    #[inline(always)]
    fn root(self) -> Self {
        self.sqrt()
    }

    #[inline(always)]
    fn sine_cosine(self) -> (Self, Self) {
        libm::sincos(self)
    }

    #[inline(always)]
    fn below(self, other: Self) -> bool {
        self < other
    }

    #[inline(always)]
    fn equals(self, other: Self) -> bool {
        self == other
    }

    #[inline(always)]
    fn select(mask: bool, yes: Self, no: Self) -> Self {
        if mask { yes } else { no }
    }

    /// Two overlapping loads of four numbers.
    #[inline(always)]
    fn parts(v: &[f64; 6]) -> (f64x4, f64x4) {
        let lane = |v: Option<&[f64; 4]>| v.map_or(f64x4::ZERO, |v| f64x4::new(*v));
        let [x, a, b, c] = lane(v.last_chunk()).to_array();
        (lane(v.first_chunk()), f64x4::new([a, b, c, x]))
    }
}

/// The components of one world in a register, of which the fourth number means nothing.
impl Components<3> for f64x4 {
    type Scalar = f64;

    #[inline(always)]
    fn load(v: &[f64; 3]) -> Self {
        f64x4::new([v[0], v[1], v[2], v[2]])
    }

    #[inline(always)]
    fn store(self) -> [f64; 3] {
        let [x, y, z, _] = self.to_array();
        [x, y, z]
    }

    #[inline(always)]
    fn splat(x: f64) -> Self {
        f64x4::splat(x)
    }

    #[inline(always)]
    fn permuted(self, [i, j, k]: [usize; 3]) -> Self {
        let v = self.to_array();
        f64x4::new([v[i], v[j], v[k], v[3]])
    }

    #[inline(always)]
    fn flipped(self, [a, b, c]: [f64; 3]) -> Self {
        self ^ f64x4::new([a, b, c, 0.0])
    }
}

impl Components<4> for f64x4 {
    type Scalar = f64;

    #[inline(always)]
    fn load(v: &[f64; 4]) -> Self {
        f64x4::new(*v)
    }

    #[inline(always)]
    fn store(self) -> [f64; 4] {
        self.to_array()
    }

    #[inline(always)]
    fn splat(x: f64) -> Self {
        f64x4::splat(x)
    }

    #[inline(always)]
    fn permuted(self, order: [usize; 4]) -> Self {
        let v = self.to_array();
        f64x4::new(order.map(|i| v[i]))
    }

    #[inline(always)]
    fn flipped(self, signs: [f64; 4]) -> Self {
        self ^ f64x4::new(signs)
    }
}

impl Real for f64x4 {
    type Mask = f64x4;
    type Vec3 = Rows<3>;
    type Vec4 = Rows<4>;
    const ZERO: Self = f64x4::ZERO;
    const ONE: Self = f64x4::ONE;

    #[inline(always)]
    fn splat(x: f64) -> Self {
        f64x4::splat(x)
    }

    /// The operator of lanes makes all zeros positive.
    #[inline(always)]
    fn negated(self) -> Self {
        self ^ f64x4::splat(-0.0)
    }

    #[inline(always)]
    fn magnitude(self) -> Self {
        self.abs()
    }

    #[inline(always)]
    fn root(self) -> Self {
        self.sqrt()
    }

    #[inline(always)]
    fn sine_cosine(self) -> (Self, Self) {
        sincos(self)
    }

    #[inline(always)]
    fn below(self, other: Self) -> f64x4 {
        self.cmp_lt(other)
    }

    #[inline(always)]
    fn equals(self, other: Self) -> f64x4 {
        self.cmp_eq(other)
    }

    #[inline(always)]
    fn select(mask: f64x4, yes: Self, no: Self) -> Self {
        mask.blend(yes, no)
    }
}

impl<const N: usize> Components<N> for Rows<N> {
    type Scalar = f64x4;

    #[inline(always)]
    fn load(from: &[f64x4; N]) -> Self {
        Self(*from)
    }

    #[inline(always)]
    fn store(self) -> [f64x4; N] {
        self.0
    }

    #[inline(always)]
    fn splat(x: f64x4) -> Self {
        Self([x; N])
    }

    #[inline(always)]
    fn permuted(self, order: [usize; N]) -> Self {
        Self(order.map(|i| self.0[i]))
    }

    #[inline(always)]
    fn flipped(self, signs: [f64; N]) -> Self {
        Self(core::array::from_fn(|i| self.0[i] ^ f64x4::splat(signs[i])))
    }
}

/// Operators on each component.
macro_rules! componentwise {
    ($($operator:ident::$method:ident),*) => {
        $(impl<const N: usize> $operator for Rows<N> {
            type Output = Self;

            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Self(core::array::from_fn(|i| self.0[i].$method(other.0[i])))
            }
        })*
    };
}
componentwise!(Add::add, Sub::sub, Mul::mul);
