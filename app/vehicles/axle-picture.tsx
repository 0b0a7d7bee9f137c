import { detailsIn } from './group-details.ts';
import { pictureOf } from './picture-of-units.ts';

/** The picture of a vehicle with these groups, as stored; its text equivalent is beside it. */
export function AxlePicture({ groupDetails }: { groupDetails: string }) {
  const { width, height, path } = pictureOf(detailsIn(groupDetails));
  return (
    <svg viewBox={`0 0 ${width} ${height}`} width={width} height={height} aria-hidden="true" className="max-w-full">
      <path d={path} fill="currentColor" />
    </svg>
  );
}
