/** A browser's name for its owner to recognise ('Chrome on Android'), from its User-Agent. */
export function deviceName(userAgent: string): string {
  const browser = firstOf(userAgent, [
    [/\bEdgA?\//, 'Edge'],
    [/\bOPR\//, 'Opera'],
    [/\bSamsungBrowser\//, 'Samsung Internet'],
    [/\b(Firefox|FxiOS)\//, 'Firefox'],
    [/\b(Headless)?Chrome\/|\bCriOS\//, 'Chrome'],
    [/\bSafari\//, 'Safari'],
  ]);
  const system = firstOf(userAgent, [
    [/\biPhone\b/, 'iPhone'],
    [/\biPad\b/, 'iPad'],
    [/\bAndroid\b/, 'Android'],
    [/\bWindows\b/, 'Windows'],
    [/\bMac OS X\b/, 'Mac'],
    [/\bCrOS\b/, 'ChromeOS'],
    [/\bLinux\b/, 'Linux'],
  ]);
  if (browser === undefined) return system ?? 'Another program';
  return system === undefined ? browser : `${browser} on ${system}`;
}

function firstOf(text: string, names: readonly (readonly [RegExp, string])[]): string | undefined {
  return names.find(([pattern]) => pattern.test(text))?.[1];
}
