// Functions that run in the page of a browser: each is sent as its text, so that it uses nothing from outside itself.

export type Kind = 'link' | 'button' | 'field' | 'file';

/**
 * The element of this kind that can be seen, has the name and can be used: of several the one whose whole name it is,
 * or whose name begins so. Of a box to tick or choose, its label. Scrolled to, and with nothing above it. An open
 * dialog hides all else.
 */
export function findElement(kind: Kind, name: string): Element | null {
  const kinds = {
    link: 'a[href]',
    button: 'button:enabled, summary',
    field: 'input:not([type=hidden], [type=file]):enabled, textarea:enabled, select:enabled',
    file: 'input[type=file]:enabled',
  };
  const plain = (text: string | null) => (text ?? '').replaceAll(/\s+/g, ' ').trim();
  const dialogs = [...document.querySelectorAll('dialog[open]')];
  const root = dialogs.at(-1) ?? document;
  const named = [...root.querySelectorAll<HTMLElement>(kinds[kind])].flatMap((element) => {
    const labels = 'labels' in element ? [...(element.labels as NodeListOf<HTMLElement>)] : [];
    const isTicked = element instanceof HTMLInputElement && /^(?:radio|checkbox)$/.test(element.type);
    const own =
      element.getAttribute('aria-label') ??
      (labels.length > 0 ? labels : [element]).map((one) => one.textContent).join(' ');
    const shown = isTicked || kind === 'file' ? (labels[0] ?? element) : element;
    return shown.checkVisibility() ? [{ element, shown, name: plain(own) }] : [];
  });
  const found = named.find((one) => one.name === name) ?? named.find((one) => one.name.startsWith(name));
  if (found === undefined) return null;
  // The field itself takes a file, however it is shown.
  if (kind === 'file') return found.element;
  const { shown } = found;
  shown.scrollIntoView({ block: 'center', behavior: 'instant' });
  const { left, top, width, height } = shown.getBoundingClientRect();
  const above = document.elementFromPoint(left + width / 2, top + height / 2);
  const isHit = above !== null && (shown.contains(above) || above.contains(shown));
  return isHit ? shown : null;
}

/** Sets the value of a field with parts that each browser asks for in its own way, as if it was typed. */
export function setValue(element: HTMLInputElement | HTMLSelectElement, value: string): string {
  const { prototype } = element instanceof HTMLSelectElement ? HTMLSelectElement : HTMLInputElement;
  if (element instanceof HTMLSelectElement)
    value = [...element.options].find(({ label }) => label.trim() === value)?.value ?? `no choice ${value}`;
  Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(element, value);
  element.dispatchEvent(new Event('input', { bubbles: true }));
  element.dispatchEvent(new Event('change', { bubbles: true }));
  return element.value;
}

/** Empties a field that is typed into. Whether it is one whose value is set. */
export function isSetElseEmptied(element: HTMLInputElement): boolean {
  if (/^(?:date|time|select-one)$/.test(element.type)) return true;
  if (element.type !== 'textarea' && element.value !== '') {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(element, '');
    element.dispatchEvent(new Event('input', { bubbles: true }));
  }
  return false;
}

/** What a person reads of the first element of this selector with these words in it; without, of the first. */
export function readText(selector: string, words: string): string {
  const texts = [...document.querySelectorAll<HTMLElement>(selector)]
    .filter((one) => one.checkVisibility())
    .map(({ innerText }) => innerText.replaceAll(/\s+/g, ' '));
  return texts.find((text) => text.includes(words)) ?? '';
}

export const addressOf = (): string => location.pathname + location.search + location.hash;

/** Whether React has taken over all that can be used of the page. */
export function isHydrated(): boolean {
  const usable = [...document.querySelectorAll('body a, body button, body input, body textarea, body select')];
  return (
    usable.length > 0 && usable.every((element) => Object.keys(element).some((key) => key.startsWith('__reactProps$')))
  );
}

/** Whether a service worker is there for the next visit of this page. */
export const hasWorker = async (): Promise<boolean> =>
  (await navigator.serviceWorker.getRegistration())?.active?.state === 'activated';

/** The errors since the last call, a line each. The first call in a document begins to listen. */
export function hearErrors(): string {
  const own: { heardErrors?: string[] } = window as object;
  if (own.heardErrors === undefined) {
    const heard: string[] = (own.heardErrors = []);
    const { error } = console;
    console.error = (...words: unknown[]) => {
      heard.push(words.map(String).join(' '));
      error(...words);
    };
    window.addEventListener('error', ({ message }) => heard.push(message));
    window.addEventListener('unhandledrejection', ({ reason }) => heard.push(String(reason)));
  }
  return own.heardErrors.splice(0).join('\n');
}
