import { Link } from 'react-router';

/** The time zone of due days, how verdicts work, and links to the public log. */
export function SiteFooter({ city }: { city: string }) {
  return (
    <footer className="no-print mt-10 border-t border-line bg-surface">
      <div className="page flex flex-wrap items-center gap-x-7 gap-y-1 py-5 text-sm text-ink-2">
        <p className="max-sm:basis-full">{`Verdicts use ${city} time.`}</p>
        <Link to="/about" className="inline-flex min-h-11 items-center">
          How verdicts work
        </Link>
        <Link to="/log" className="inline-flex min-h-11 items-center">
          Public log
        </Link>
      </div>
    </footer>
  );
}
