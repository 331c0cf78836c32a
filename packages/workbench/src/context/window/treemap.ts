/** A squarified treemap (Bruls, Huizing and van Wijk, 2000): rectangles that are as square as possible, the largest first. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Lays out boxes for weights, in order, that fill `whole`. Weights of 0 or less get a box without size. */
export function layOut(weights: readonly number[], whole: Box): readonly Box[] {
  const total = weights.reduce((sum, weight) => sum + Math.max(0, weight), 0);
  const boxes: Box[] = weights.map(() => ({ x: whole.x, y: whole.y, width: 0, height: 0 }));
  const area = whole.width * whole.height;
  if (!(total > 0) || !(area > 0)) return boxes;
  const order = weights.map((_, index) => index).filter((index) => (weights[index] ?? 0) > 0);
  order.sort((a, b) => (weights[b] ?? 0) - (weights[a] ?? 0) || a - b);
  const areas = order.map((index) => ((weights[index] ?? 0) / total) * area);
  let left = whole;
  for (let start = 0; start < order.length; ) {
    const end = endOfRow(areas, start, Math.min(left.width, left.height));
    const placed = placeRow(areas.slice(start, end), left);
    placed.boxes.forEach((box, offset) => {
      boxes[order[start + offset] ?? 0] = box;
    });
    left = placed.left;
    start = end;
  }
  return boxes;
}

/** Raises every weight above 0 to at least this share of the total. */
export function withLeastShare(weights: readonly number[], share: number): readonly number[] {
  const total = weights.reduce((sum, weight) => sum + Math.max(0, weight), 0);
  return weights.map((weight) => (weight > 0 ? Math.max(weight, total * share) : weight));
}

/** Finds the end of the longest row from `start` whose aspect ratios do not get worse with its last box. */
function endOfRow(areas: readonly number[], start: number, side: number): number {
  let sum = areas[start] ?? 0;
  const max = sum;
  let ratio = worstRatio(max, max, sum, side);
  let end = start + 1;
  for (; end < areas.length; end += 1) {
    const min = areas[end] ?? 0; // the weights are in descending order
    const next = worstRatio(max, min, sum + min, side);
    if (next > ratio) break;
    ratio = next;
    sum += min;
  }
  return end;
}

/** Returns the worst aspect ratio in a row, computed from its largest and smallest area. */
function worstRatio(max: number, min: number, sum: number, side: number): number {
  const thickness = sum / side;
  return Math.max(max / thickness ** 2, thickness ** 2 / min);
}

/** Places a row along the shorter side, and returns the remaining area. */
function placeRow(areas: readonly number[], whole: Box): { readonly boxes: readonly Box[]; readonly left: Box } {
  const sum = areas.reduce((total, area) => total + area, 0);
  const isWide = whole.width >= whole.height;
  const side = isWide ? whole.height : whole.width;
  const thickness = Math.min(sum / side, isWide ? whole.width : whole.height);
  let place = 0;
  const boxes = areas.map((area) => {
    const length = (area / sum) * side;
    const box = isWide
      ? { x: whole.x, y: whole.y + place, width: thickness, height: length }
      : { x: whole.x + place, y: whole.y, width: length, height: thickness };
    place += length;
    return box;
  });
  const left = isWide
    ? { ...whole, x: whole.x + thickness, width: whole.width - thickness }
    : { ...whole, y: whole.y + thickness, height: whole.height - thickness };
  return { boxes, left };
}
