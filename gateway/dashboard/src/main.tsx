import { ApiError } from '@swim/sdk';
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { meQuery } from './api/me.ts';
import { App } from './app/app.tsx';
import { startTheme } from './design/theme.ts';
import './design/styles/base.css';
import './design/styles/controls.css';
import './design/tables/table.css';
import './app/shell.css';

const FRESH_MS = 15_000;

/** A session that has ended shows the page to sign in, whichever request is the first to find out. */
function onError(error: unknown): void {
  if (error instanceof ApiError && error.status === 401 && queries.getQueryData(meQuery.queryKey))
    queries.setQueryData(meQuery.queryKey, null);
}

const queries: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  // The client of the API retries by itself what a retry can mend.
  defaultOptions: {
    queries: { staleTime: FRESH_MS, retry: false },
    // Without a connection a mutation fails at once: it must not run unseen when the connection is back.
    mutations: { networkMode: 'always' },
  },
});

startTheme();
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <App />
    </QueryClientProvider>
  </StrictMode>,
);
