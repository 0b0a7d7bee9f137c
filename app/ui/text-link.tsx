import { Link } from 'react-router';

/** A link that stands by itself, as high as a touch target. */
export function TextLink({ to, children }: { to: string; children: string }) {
  return (
    <Link to={to} className="inline-flex min-h-11 items-center font-semibold no-underline">
      {children}
    </Link>
  );
}
