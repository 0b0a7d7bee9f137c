// The keypads that phones show for a number have no minus: this key turns the sign of the box before it. Only where
// fingers type.
export function SignKey() {
  return (
    <button
      type="button"
      aria-label="Minus"
      className="sign-key scripted-only"
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
