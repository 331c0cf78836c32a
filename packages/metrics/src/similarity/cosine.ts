/**
 * Returns the cosine of the angle between two vectors, from -1 to 1; 0 if one of them has length 0. Throws RangeError for vectors of
 * different dimensions.
 */
export function cosine(first: ArrayLike<number>, second: ArrayLike<number>): number {
  if (first.length !== second.length) {
    throw new RangeError(
      `The vectors have ${first.length} and ${second.length} dimensions, so they cannot be compared.`,
    );
  }
  const [one, other] = [scaled(first), scaled(second)];
  const lengths = Math.sqrt(dot(one, one)) * Math.sqrt(dot(other, other));
  return lengths === 0 ? 0 : Math.min(Math.max(dot(one, other) / lengths, -1), 1);
}

/** Scales a vector so that its largest number is 1 or -1: products of very small numbers would lose precision. */
function scaled(vector: ArrayLike<number>): ArrayLike<number> {
  const numbers = Array.from(vector);
  const largest = numbers.reduce((max, each) => Math.max(max, Math.abs(each)), 0);
  return largest === 0 ? numbers : numbers.map((each) => each / largest);
}

function dot(first: ArrayLike<number>, second: ArrayLike<number>): number {
  let sum = 0;
  for (let index = 0; index < first.length; index += 1) sum += (first[index] ?? 0) * (second[index] ?? 0);
  return sum;
}
