import Search from 'lucide-react/icons/search';
import type { ComponentProps, ReactNode } from 'react';
import { SearchNotDone } from './no-connection.tsx';
import { useLiveSearch } from './use-live-search.ts';

/**
 * Searches a list as the user types; without scripts a plain GET form. `text`: the search of the current page.
 * `hrefOf`: as for `useLiveSearch`. `children`: hidden inputs for the other parameters of that address. Enter only
 * keeps the focus.
 */
export function SearchBox({
  path,
  name = 'q',
  text,
  hrefOf,
  label,
  placeholder,
  maxLength,
  children,
  ...typing
}: {
  path: string;
  /** The name of the query parameter. */
  name?: string;
  text: string;
  hrefOf?: (text: string) => string;
  label: string;
  placeholder: string;
  maxLength: number;
  children?: ReactNode;
} & Pick<ComponentProps<'input'>, 'autoCapitalize' | 'autoCorrect'>) {
  const { ref, onInput } = useLiveSearch(path, text, hrefOf);
  return (
    <>
      <form
        action={path}
        method="get"
        role="search"
        aria-label={label}
        className="relative w-full sm:w-70"
        onSubmit={(event) => event.preventDefault()}
      >
        <input
          ref={ref}
          name={name}
          type="search"
          defaultValue={text}
          onInput={onInput}
          maxLength={maxLength}
          placeholder={placeholder}
          aria-label={placeholder}
          autoComplete="off"
          {...typing}
          spellCheck={false}
          enterKeyHint="search"
          className="h-(--size-target) w-full rounded-md border border-line-strong bg-surface pr-3 pl-10 placeholder:text-ink-3"
        />
        <Search size={18} aria-hidden="true" className="absolute top-1/2 left-3 -translate-y-1/2 text-ink-3" />
        {children}
      </form>
      {name === 'q' ? <SearchNotDone path={path} text={text} /> : null}
    </>
  );
}
