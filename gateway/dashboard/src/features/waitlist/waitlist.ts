import type { JoinWaitlistBody } from '@swim/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useClient, useEnvironment } from '../../api/environment.tsx';
import { usePages } from '../../api/pages.ts';

const WAITLIST = 'waitlist';

/** The entries that the account may see, newest first. */
export function useWaitlist() {
  const client = useClient();
  const environment = useEnvironment();
  return usePages([environment, WAITLIST], (page, options) => client.waitlist.list(page, options));
}

/** Joins the waitlist, and leaves it. */
export function useWaitlistActions() {
  const client = useClient();
  const queries = useQueryClient();
  const environment = useEnvironment();
  const onSuccess = () => queries.invalidateQueries({ queryKey: [environment, WAITLIST] });
  return {
    join: useMutation({ mutationFn: (body: JoinWaitlistBody) => client.waitlist.join(body), onSuccess }),
    leave: useMutation({ mutationFn: (id: string) => client.waitlist.leave(id), onSuccess }),
  };
}
