import type { CreateMemberBody, Member, Query, SkillStatus } from '@swim/sdk';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useClient, useEnvironment } from '../../api/environment.tsx';
import { useOnce } from '../../api/idempotency.ts';
import { useMe } from '../../api/me.ts';
import { usePages } from '../../api/pages.ts';

const MEMBERS = 'members';

/** The members that a query finds, newest first. */
export function useMembers(query: Query<'listMembers'>) {
  const client = useClient();
  const environment = useEnvironment();
  return usePages([environment, MEMBERS, 'list', query], (page, options) =>
    client.members.list({ ...query, ...page }, options),
  );
}

/** One member. Each reading is an entry of the access log. */
export function useMember(id: string) {
  const client = useClient();
  const environment = useEnvironment();
  return useQuery({
    queryKey: [environment, MEMBERS, id],
    queryFn: ({ signal }) => client.members.get(id, { signal }),
  });
}

/** Level and skills of a member. */
export function useProgress(id: string) {
  const client = useClient();
  const environment = useEnvironment();
  return useQuery({
    queryKey: [environment, MEMBERS, id, 'progress'],
    queryFn: ({ signal }) => client.members.getProgress(id, { signal }),
  });
}

/** The lessons of a member that are to come, soonest first. */
export function useComingLessons(id: string) {
  const client = useClient();
  const environment = useEnvironment();
  return usePages([environment, MEMBERS, id, 'lessons'], (page, options) =>
    client.sessions.list({ member_id: id, status: 'scheduled', ...page }, options),
  );
}

/** The access log of a member, newest first. */
export function useAccessLog(id: string) {
  const client = useClient();
  const environment = useEnvironment();
  const { account } = useMe();
  return usePages([environment, MEMBERS, id, 'access'], (page, options) =>
    client.accessLog.list(account.id, { member_id: id, ...page }, options),
  );
}

/** Records skills of a member; the answer is the progress from then on. */
export function useAssess(id: string) {
  const client = useClient();
  const queries = useQueryClient();
  const environment = useEnvironment();
  return useMutation({
    mutationFn: ({ code, status }: { code: string; status: SkillStatus }) =>
      client.members.assess(id, { skills: [{ code, status }] }),
    onSuccess: async (progress) => {
      queries.setQueryData([environment, MEMBERS, id, 'progress'], progress);
      await queries.invalidateQueries({ queryKey: [environment, MEMBERS, id], exact: true });
    },
  });
}

/** Erases a member for good. */
export function useErase(id: string) {
  const client = useClient();
  const queries = useQueryClient();
  const environment = useEnvironment();
  return useMutation({
    mutationFn: () => client.members.erase(id),
    onSuccess: () => {
      queries.removeQueries({ queryKey: [environment, MEMBERS, id] });
      return Promise.all([
        queries.invalidateQueries({ queryKey: [environment, MEMBERS, 'list'] }),
        queries.invalidateQueries({ queryKey: [environment, 'names'] }),
      ]);
    },
  });
}

/** Adds a member to the account, or changes one. */
export function useSaveMember(member: Member | null) {
  const client = useClient();
  const queries = useQueryClient();
  const environment = useEnvironment();
  const { account } = useMe();
  const save = useOnce((body: CreateMemberBody, idempotencyKey) =>
    member
      ? client.members.update(member.id, body, { idempotencyKey })
      : client.members.create(account.id, body, { idempotencyKey }),
  );
  return useMutation({
    mutationFn: save,
    onSuccess: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: [environment, MEMBERS] }),
        queries.invalidateQueries({ queryKey: [environment, 'names'] }),
      ]),
  });
}
