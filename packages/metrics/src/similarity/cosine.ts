/** The cosine of the angle between two vectors, from -1 to 1; 0 if one of them has no length. Throws RangeError for vectors of different dimensions. */
export function cosine(first: ArrayLike<number>, second: ArrayLike<number>): number {
  if (first.length !== second.length) {
    throw new RangeError(
      `The vectors have ${first.length} and ${second.length} dimensions, so they cannot be compared.`,
    );
  }
  const lengths = Math.sqrt(dot(first, first)) * Math.sqrt(dot(second, second));
  return lengths === 0 ? 0 : dot(first, second) / lengths;
}

function dot(first: ArrayLike<number>, second: ArrayLike<number>): number {
  let sum = 0;
  for (let index = 0; index < first.length; index += 1) sum += (first[index] ?? 0) * (second[index] ?? 0);
  return sum;
}
