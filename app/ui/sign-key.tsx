// The keypads that phones show for a number have no minus: this key turns the sign of the box before it. Only where
// fingers type.
export function SignKey() {
  return (
    <button
      type="button"
      aria-label="Minus"
      className="scripted-only absolute inset-y-0 right-8 hidden w-11 cursor-pointer items-center justify-center text-lg text-ink-2 pointer-coarse:flex"
      onClick={({ currentTarget }) => {
        const box = currentTarget.parentElement?.querySelector('input');
        if (!box) return;
        box.value = /^\s*[-\u2212]/.test(box.value) ? box.value.replace(/^\s*[-\u2212]/, '') : `-${box.value}`;
        box.dispatchEvent(new Event('input', { bubbles: true }));
        box.focus();
      }}
    >
      ±
    </button>
  );
}
