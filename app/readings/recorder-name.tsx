import { href, Link } from 'react-router';

/** Who calibrated: the name, and the address of their page, where they have one. */
export type RecorderName = { name: string; personId: string | null };

export const RecorderLink = ({ recorder: { name, personId } }: { recorder: RecorderName }) =>
  personId === null ? (
    name
  ) : (
    <Link
      to={href('/calibrated-by/:personId', { personId })}
      className="link-in-text inline-flex min-h-11 items-center print:min-h-0"
    >
      {name}
    </Link>
  );
