// Asks what would become of a set as it is typed. It asks when all required values are there, half a second after the
// last change, and shows nothing where no answer comes: the form works without it.
import { useEffect, useRef, useState } from 'react';
import { gridsIn, judgeGrids, missingInGrids } from '#app/readings/set-grid.ts';
import type { VisitPreview } from '#app/visits/visit-outcome.ts';

const QUIET_MS = 500;
// Neither files nor texts about people belong into an address.
const NOT_ASKED = ['form_key', 'notes', 'photo', 'photo_file'];

/** `ask`: call it after each change. `given`: the preview that came with the page. */
export function usePreview(
  address: string,
  given: VisitPreview | undefined,
): { preview: VisitPreview | undefined; ask: (form: HTMLFormElement) => void } {
  const [asked, setAsked] = useState<{ preview: VisitPreview | undefined }>();
  const asking = useRef<Asking>(undefined);
  useEffect(() => () => stop(asking.current), []);
  return {
    preview: asked === undefined ? given : asked.preview,
    ask(form) {
      stop(asking.current);
      const query = queryOf(form);
      if (query === undefined) return setAsked({ preview: undefined });
      const controller = new AbortController();
      const { signal } = controller;
      const fetchIt = async () => {
        const preview = navigator.onLine ? await fetchPreview(`${address}?${query}`, signal) : undefined;
        if (!signal.aborted) setAsked({ preview });
      };
      asking.current = { controller, timer: setTimeout(() => void fetchIt(), QUIET_MS) };
    },
  };
}

type Asking = { controller: AbortController; timer: ReturnType<typeof setTimeout> } | undefined;

function stop(asking: Asking): void {
  clearTimeout(asking?.timer);
  asking?.controller.abort();
}

// Undefined while required values are missing, or one is wrong.
function queryOf(form: HTMLFormElement): URLSearchParams | undefined {
  const given = new FormData(form);
  const grids = gridsIn(given);
  const wrong = { ...missingInGrids(grids), ...judgeGrids(grids).errors };
  if (grids[0]?.axles.length === 0 || Object.keys(wrong).length > 0) return undefined;
  const query = new URLSearchParams();
  for (const [name, value] of given)
    if (typeof value === 'string' && value !== '' && !NOT_ASKED.includes(name)) query.append(name, value);
  if (String(given.get('photo') ?? '') !== '') query.set('photo', 'yes');
  return query;
}

async function fetchPreview(address: string, signal: AbortSignal): Promise<VisitPreview | undefined> {
  try {
    const answer = await fetch(address, { signal });
    const body: unknown = await answer.json();
    return hasPreview(body) ? body.preview : undefined;
  } catch {
    return undefined;
  }
}

// False too when the answer is a page, as that of the sign-in.
function hasPreview(body: unknown): body is { preview: VisitPreview } {
  if (typeof body !== 'object' || body === null || !('preview' in body)) return false;
  const { preview } = body;
  return typeof preview === 'object' && preview !== null && 'names' in preview && 'groups' in preview;
}
