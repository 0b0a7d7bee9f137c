import { Link } from 'react-router';

/** Whose midnight decides, and how verdicts work. */
export function SiteFooter({ city }: { city: string }) {
  return (
    <footer className="no-print mt-10 border-t border-line bg-surface">
      <div className="page flex flex-wrap items-center gap-x-7 gap-y-1 py-5 text-sm text-ink-2">
        <p>{`Verdicts use ${city} time.`}</p>
        <Link to="/about" className="inline-flex min-h-11 items-center">
          How verdicts work
        </Link>
      </div>
    </footer>
  );
}
