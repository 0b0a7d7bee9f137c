/** `label`: of a group, in the middle of its wheels; none where they would be too small to read. */
export type ShownPicture = {
  width: number;
  height: number;
  path: string;
  labels: readonly { x: number; label: string }[];
  /** What it shows. */
  words: string;
};

/** The outline of a vehicle, or of units behind each other. */
export function UnitsPicture({ picture: { width, height, path, labels, words } }: { picture: ShownPicture }) {
  return (
    <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={words} className="units-picture" width={2.5 * width}>
      <path d={path} />
      {labels.map(({ x, label }) => (
        <text key={x} x={x} y={height - 1}>
          {label}
        </text>
      ))}
    </svg>
  );
}
