// Gives the page's address to somebody: by what the phone has for it, else as a copy.
import { showToast } from '#app/ui/toasts.ts';

export function ShareLink({ rego, className }: { rego: string; className: string }) {
  const share = async () => {
    const url = `${location.origin}${location.pathname}`;
    try {
      // Not every browser has it, whatever its types say.
      if (Reflect.has(navigator, 'share')) return await navigator.share({ title: `Scale calibration of ${rego}`, url });
      await navigator.clipboard.writeText(url);
      showToast({ kind: 'success', text: 'The address is copied.' });
    } catch (error) {
      // Anybody who closes the phone's own sheet wants nothing more.
      if (error instanceof DOMException && error.name === 'AbortError') return;
      showToast({ kind: 'info', text: `The address of this page: ${url}` });
    }
  };
  return (
    <button type="button" className={`scripted-only cursor-pointer ${className}`} onClick={() => void share()}>
      Share
    </button>
  );
}
