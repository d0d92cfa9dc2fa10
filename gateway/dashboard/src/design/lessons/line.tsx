import type { WaitlistEntry } from '@swim/sdk';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useClient, useEnvironment } from '../../api/environment.tsx';
import { useLiveEvents } from '../../api/live-events.ts';
import { useScopes } from '../../api/me.ts';
import { useLanguage } from '../../texts/language.tsx';
import { Badge } from '../badge.tsx';
import { Button } from '../button.tsx';
import { ErrorNotice } from '../notice.tsx';
import { type Child, useRefresh } from './open-lessons.ts';

/** The lessons and classes in which a child waits for a place, or has one offered, by their ids; a new offer appears at once. */
export function useLine(child: Child): ReadonlyMap<string, WaitlistEntry> {
  const client = useClient();
  const environment = useEnvironment();
  const can = useScopes();
  const refresh = useRefresh();
  useLiveEvents(({ type }) => {
    if (/^(?:waitlist|session)\./.test(type)) void refresh();
  }, can('events:read'));
  const { data } = useQuery({
    queryKey: [environment, 'waitlist', 'of-child', child.id],
    enabled: can('bookings:read'),
    queryFn: async ({ signal }) => {
      const query = { member_id: child.id, status: ['waiting', 'offered'], limit: 100 } as const;
      const { data: entries } = await client.waitlist.list(query, { signal });
      return new Map(entries.map((entry) => [entry.lesson_id ?? entry.class_id ?? '', entry]));
    },
  });
  return data ?? new Map();
}

interface LineProps {
  readonly child: Child;
  /** A lesson or a class without a free place. */
  readonly of: { readonly lesson_id: string } | { readonly class_id: string };
  readonly entry: WaitlistEntry | undefined;
  /** The lesson or the class in words. */
  readonly when: string;
  /** The button that takes the place that is held, in short and in full. */
  readonly take: readonly [string, string];
  /** Books the place that is held for the child. */
  readonly onTake: (holdId: string) => void;
}

/** The line of a full lesson or class: a child joins it, leaves it, or takes the place that it offers. */
export function Line({ child, of, entry, when, take, onTake }: LineProps) {
  const { t } = useLanguage();
  const { waitlist } = useClient();
  const canJoin = useScopes()('bookings:write');
  const onSuccess = useRefresh();
  const join = useMutation({
    mutationFn: () => waitlist.join({ ...of, member_id: child.id }),
    onSuccess,
  });
  const leave = useMutation({ mutationFn: (id: string) => waitlist.leave(id), onSuccess });
  const offer = entry?.status === 'offered' ? entry.offer : null;
  if (offer)
    return (
      <span className="row">
        <Badge tone="warning">{t('open.held')}</Badge>
        {canJoin && (
          <Button small kind="primary" aria-label={take[1]} onPress={() => onTake(offer.hold_id)}>
            {take[0]}
          </Button>
        )}
      </span>
    );
  return (
    <span className="row">
      <Badge tone={entry ? 'accent' : 'neutral'}>{t(entry ? 'open.waiting' : 'open.full')}</Badge>
      {canJoin && !entry && (
        <Button
          small
          aria-label={t('open.joinNamed', { when })}
          isPending={join.isPending}
          onPress={() => join.mutate()}
        >
          {t('open.join')}
        </Button>
      )}
      {canJoin && entry && (
        <Button
          small
          aria-label={t('open.leaveNamed', { when })}
          isPending={leave.isPending}
          onPress={() => leave.mutate(entry.id)}
        >
          {t('waitlist.leave')}
        </Button>
      )}
      <ErrorNotice error={join.error ?? leave.error} />
    </span>
  );
}
