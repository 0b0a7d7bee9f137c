// Runs the page's module script (see app/ui/late-scripts.tsx) at the first input, else when the browser is idle after
// load.
// Before any module: zod, which checks forms, would try eval to see whether it may. The Content-Security-Policy forbids it,
// and a browser reports each try.
Reflect.set(globalThis, '__zod_globalConfig', { jitless: true });
(() => {
  const signs = ['pointerdown', 'touchstart', 'keydown', 'focusin', 'input'];
  let woken = false;
  const wake = () => {
    if (woken) return;
    woken = true;
    for (const sign of signs) removeEventListener(sign, wake, true);
    const inert = document.getElementById('late-module');
    if (!inert) return;
    const script = document.createElement('script');
    script.type = 'module';
    script.textContent = inert.textContent;
    document.head.append(script);
  };
  for (const sign of signs) addEventListener(sign, wake, { capture: true, passive: true });
  const whenIdle = () => (window.requestIdleCallback ?? setTimeout)(wake, { timeout: 4000 });
  const afterLoad = () => setTimeout(whenIdle, 200);
  if (document.readyState === 'complete') afterLoad();
  else addEventListener('load', afterLoad, { once: true });
})();
