import { startTransition, StrictMode } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { HydratedRouter } from 'react-router/dom';
import { provideImportAgain } from '#app/platform/http/import-again.ts';
import { waitForPageData } from '#app/platform/http/page-data.ts';

provideImportAgain();
waitForPageData();

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <HydratedRouter />
    </StrictMode>,
  );
});
