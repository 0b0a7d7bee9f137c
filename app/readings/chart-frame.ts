// The frame of a chart, in its own units. Apart from line-geometry.ts, whose arithmetic the browser need not load.

export const CHART = { width: 240, height: 128, left: 34, right: 236, top: 8, bottom: 104 } as const;
