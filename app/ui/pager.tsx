import { Link } from 'react-router';
import { PageNotOpen } from './no-connection.tsx';

/** Previous, 'Page X of Y', Next; plain links, disabled at the ends. `hrefOf` gives a page's address. */
export function Pager({
  page,
  pages,
  hrefOf,
  label,
}: {
  page: number;
  pages: number;
  hrefOf: (page: number) => string;
  label: string;
}) {
  return (
    <nav
      aria-label={label}
      className="no-print flex flex-wrap items-center justify-between gap-3 border-t border-line px-5 py-3 max-row:px-4"
    >
      <Step href={page > 1 ? hrefOf(page - 1) : undefined} rel="prev">
        Previous
      </Step>
      <span>{`Page ${page} of ${pages}`}</span>
      <Step href={page < pages ? hrefOf(page + 1) : undefined} rel="next">
        Next
      </Step>
      <PageNotOpen hrefs={[hrefOf(page - 1), hrefOf(page + 1)]} />
    </nav>
  );
}

function Step({ href, rel, children }: { href: string | undefined; rel: 'prev' | 'next'; children: string }) {
  if (href === undefined)
    return (
      <span className="button-look button-secondary" role="link" aria-disabled="true">
        {children}
      </span>
    );
  return (
    <Link className="button-look button-secondary" to={href} rel={rel} prefetch="none">
      {children}
    </Link>
  );
}
