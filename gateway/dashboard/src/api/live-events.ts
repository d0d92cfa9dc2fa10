import type { AccountEvent } from '@swim/sdk';
import { useEffect, useEffectEvent, useState } from 'react';
import { useClient } from './environment.tsx';

/** `off` where the events cannot be received, for instance because too many pages do already. */
export type LiveState = 'connecting' | 'live' | 'off';

/** Calls back with each event of the account that happens while the page is open. */
export function useLiveEvents(onEvent: (event: AccountEvent) => void, isOn = true): LiveState {
  const client = useClient();
  const [state, setState] = useState<LiveState>('connecting');
  const take = useEffectEvent(onEvent);
  useEffect(() => {
    if (!isOn) return;
    const controller = new AbortController();
    const { signal } = controller;
    let isListening = false;
    const listen = async () => {
      const { data } = await client.events.list({ limit: 1 }, { signal });
      setState('live');
      for await (const event of client.events.listen({ after: data[0]?.sequence ?? 0, signal })) take(event);
    };
    const start = async () => {
      if (isListening) return;
      isListening = true;
      await listen().catch(() => undefined);
      isListening = false;
      if (!signal.aborted) setState('off');
    };
    void start();
    addEventListener('online', start, { signal });
    return () => controller.abort();
  }, [client, isOn]);
  return isOn ? state : 'off';
}
