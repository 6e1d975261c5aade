// Numbers as they are printed: with a true minus, which readers say, too.

export const plainNumber = (points) => String(points).replace("-", "−");
export const signed = (points) => (points > 0 ? `+${points}` : plainNumber(points));
