import { RowIcon } from '#app/ui/row-icon.tsx';
import { Link, useNavigate } from 'react-router';
import { SearchNotDone } from '#app/ui/no-connection.tsx';
import { CODE_SEARCH, useLiveSearch, useSearchThatLeads } from '#app/ui/use-live-search.ts';

/** The registry's logo and name, with a link to the home page. */
export function Brand({ name }: { name: string }) {
  return (
    <Link to="/" className="quiet-link inline-flex min-h-11 items-center gap-2.5 text-base font-bold text-ink">
      <svg viewBox="0 0 32 32" className="size-8 shrink-0" aria-hidden="true">
        <rect width="32" height="32" rx="7" className="fill-ink" />
        <path d="M11 21 21 11" className="stroke-surface" strokeWidth="2.5" />
        <circle cx="10" cy="22" r="3.5" className="fill-ink stroke-surface" strokeWidth="2.5" />
        <circle cx="22" cy="10" r="3.75" className="fill-surface" />
      </svg>
      {name}
    </Link>
  );
}

/** Only the brand: for the home page, which has its own search. */
export function PlainHeader({ name, line }: { name: string; line: boolean }) {
  return (
    <header className={`no-print bg-surface ${line ? 'border-b border-line' : ''}`}>
      <div className="page flex min-h-16 items-center">
        <Brand name={name} />
      </div>
    </header>
  );
}

/** The search header of every other public page. */
export function SearchHeader({ name }: { name: string }) {
  return (
    <HeaderFrame name={name}>
      <RegoSearch />
    </HeaderFrame>
  );
}

/** The search on pages without results: Enter or the magnifier leads to /search. */
export function RegoSearch() {
  const navigate = useNavigate();
  const { ref: input, onSubmit } = useSearchThatLeads();
  return (
    <>
      <SearchForm
        ref={input}
        text=""
        onSubmit={() => {
          onSubmit();
          const q = input.current?.value.trim() ?? '';
          void navigate(q === '' ? '/search' : `/search?q=${encodeURIComponent(q)}`, { state: { q } });
        }}
      />
      <SearchNotDone path="/search" text="" />
    </>
  );
}

/** The search header on /search: its text filters live, and Enter changes nothing. */
export function LiveSearchHeader({ name, text }: { name: string; text: string }) {
  const { ref, onInput } = useLiveSearch('/search', text);
  return (
    <HeaderFrame name={name}>
      <SearchForm ref={ref} text={text} onInput={onInput} />
      <SearchNotDone path="/search" text={text} />
    </HeaderFrame>
  );
}

function HeaderFrame({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <header className="no-print border-b border-line bg-surface">
      <div className="page flex min-h-16 flex-wrap items-center justify-between gap-x-6 gap-y-1 py-2">
        <Brand name={name} />
        {children}
      </div>
    </header>
  );
}

function SearchForm({
  ref,
  text,
  onInput,
  onSubmit,
}: {
  ref: React.Ref<HTMLInputElement>;
  text: string;
  onInput?: () => void;
  onSubmit?: () => void;
}) {
  return (
    <form
      action="/search"
      method="get"
      role="search"
      className="relative w-full sm:w-75"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit?.();
      }}
    >
      <input
        {...CODE_SEARCH}
        ref={ref}
        defaultValue={text}
        onInput={onInput}
        placeholder="Search by Rego..."
        aria-label="Search by Rego..."
        className="h-11 w-full rounded-md border border-line-strong bg-sunken pr-3 pl-11 placeholder:text-ink-3"
      />
      <button
        type="submit"
        className="absolute inset-y-0 left-0 grid w-11 cursor-pointer place-items-center text-ink-3"
        aria-label="Search"
      >
        <RowIcon name="search" className="row-icon size-5" />
      </button>
    </form>
  );
}
