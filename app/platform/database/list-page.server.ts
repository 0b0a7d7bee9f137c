// One page of a list with its exact total.

export type ListPage<Item> = { items: Item[]; page: number; pages: number; total: number };

/** Page `page` (from 1) with `perPage` rows a page. Beyond the last page it returns the last. */
export async function listPage<Item>(
  { page, perPage }: { page: number; perPage: number },
  count: () => Promise<number>,
  rows: (limit: number, offset: number) => Promise<Item[]>,
): Promise<ListPage<Item>> {
  const total = await count();
  const pages = Math.max(1, Math.ceil(total / perPage));
  const present = Math.min(page, pages);
  return { items: total === 0 ? [] : await rows(perPage, (present - 1) * perPage), page: present, pages, total };
}
