// What a bubble or a banner hides at a place, to choose the place where it hides least.

// spot: {x, y}; size: {width, height}; hidden: from areasOf().
export const costOf = (spot, size, hidden) => hidden.reduce(
  (sum, [rects, weight]) => sum + weight * rects.reduce((area, rect) => area + overlap(spot, size, rect), 0),
  0,
);

// The rectangles of what must be seen, with their weights. hides: pairs of a selector and a weight; but: one to omit.
export const areasOf = (hides, but) => hides.map(([what, weight]) => [rectsOf(what, but), weight]);

export const least = (spots, cost) =>
  spots.map((spot) => [cost(spot), spot]).reduce((a, b) => (b[0] < a[0] ? b : a))[1];

const rectsOf = (what, but) =>
  [...document.querySelectorAll(what)].filter((one) => one !== but && isSeen(one))
    .map((one) => one.getBoundingClientRect());

const isSeen = (node) => node.checkVisibility({ visibilityProperty: true });

function overlap({ x, y }, { width, height }, rect) {
  const across = Math.min(x + width, rect.right) - Math.max(x, rect.left);
  const down = Math.min(y + height, rect.bottom) - Math.max(y, rect.top);
  return across > 0 && down > 0 ? across * down : 0;
}
