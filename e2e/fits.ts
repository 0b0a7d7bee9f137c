// Checks that a page fits the screen's width: nothing is wider, cut off, or needs horizontal scrolling.
import type { Page } from '@playwright/test';

/** What is wider than the screen, and tables that are wider than their place; empty: the page fits. */
export function tooWide(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const wide: string[] = [];
    const overflow = document.documentElement.scrollWidth - innerWidth;
    if (overflow > 0) wide.push(`the page, by ${overflow}px`);
    for (const table of document.querySelectorAll('.table-scroll'))
      if (table.scrollWidth > table.clientWidth + 1)
        wide.push(`a table, by ${table.scrollWidth - table.clientWidth}px: ${table.textContent.slice(0, 40)}`);
    // Ignores elements that scroll on purpose, and elements that are off-screen until they are opened.
    const isApart = (element: Element) => element.closest('.sr-only, nav, .table-scroll, pre, svg, [popover]') !== null;
    for (const element of document.querySelectorAll('main *, header *')) {
      const { right, width } = element.getBoundingClientRect();
      if (width > 0 && right > innerWidth + 1 && !isApart(element))
        wide.push(`${element.tagName} ${element.className}: ${element.textContent.slice(0, 40)}`);
    }
    return wide.slice(0, 6);
  });
}
