import { RowIcon } from '#app/ui/row-icon.tsx';
import { SearchNotDone } from '#app/ui/no-connection.tsx';
import { CODE_SEARCH, useLiveSearch } from '#app/ui/use-live-search.ts';

/** The home page's search: results update as the user types; Enter only keeps the focus. */
export function HomeSearchForm({ text, large }: { text: string; large: boolean }) {
  const { ref, onInput } = useLiveSearch('/', text);
  return (
    <form action="/" method="get" role="search" onSubmit={(event) => event.preventDefault()}>
      <label htmlFor="q" className="block text-lg font-bold">
        Search by Rego/VIN...
      </label>
      <p id="q-hint" className={large ? 'pt-0.5 text-ink-2' : 'sr-only'}>
        For example XV04KL, or part of a VIN
      </p>
      <div className={`flex gap-3 pt-1.5 ${large ? 'max-row:flex-col' : ''}`}>
        <input
          {...CODE_SEARCH}
          ref={ref}
          id="q"
          defaultValue={text}
          onInput={onInput}
          aria-describedby="q-hint"
          className={`min-w-0 flex-1 rounded-md border-3 border-ink bg-surface px-4 font-bold tracking-wide md:max-w-107 ${large ? 'h-16 text-2xl max-row:flex-none' : 'h-13 text-xl'}`}
        />
        <button
          type="submit"
          className={`button-look button-primary text-lg ${large ? 'h-16 px-7' : 'h-13 px-6 max-row:px-4'}`}
        >
          <RowIcon name="search" className="row-icon size-5.5" />
          Search
        </button>
      </div>
      <SearchNotDone path="/" text={text} />
    </form>
  );
}
