import type { Lesson, WaitlistEntry } from '@swim/sdk';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useClient, useEnvironment } from '../../api/environment.tsx';
import { useLiveEvents } from '../../api/live-events.ts';
import { useScopes } from '../../api/me.ts';
import { Badge } from '../../design/badge.tsx';
import { Button } from '../../design/button.tsx';
import { type Child, useRefresh } from '../../design/lessons/open-lessons.ts';
import { ErrorNotice } from '../../design/notice.tsx';
import { useLanguage } from '../../texts/language.tsx';

/** The lessons in which a child waits for a place, or has one offered; a new offer appears at once. */
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
      const query = { member_id: child.id, status: 'waiting,offered', limit: 100 };
      const { data: entries } = await client.waitlist.list(query, { signal });
      return new Map(entries.flatMap((entry) => (entry.lesson_id ? [[entry.lesson_id, entry] as const] : [])));
    },
  });
  return data ?? new Map();
}

interface LineProps {
  readonly child: Child;
  /** A lesson without a free place. */
  readonly lesson: Lesson;
  readonly entry: WaitlistEntry | undefined;
  /** The lesson in words. */
  readonly when: string;
  /** Books the place that is held for the child. */
  readonly onTake: (holdId: string) => void;
}

/** The line of a full lesson: a child joins it, leaves it, or takes the place that it offers. */
export function Line({ child, lesson, entry, when, onTake }: LineProps) {
  const { t } = useLanguage();
  const { waitlist } = useClient();
  const canJoin = useScopes()('bookings:write');
  const onSuccess = useRefresh();
  const join = useMutation({
    mutationFn: () => waitlist.join({ lesson_id: lesson.id, member_id: child.id }),
    onSuccess,
  });
  const leave = useMutation({ mutationFn: (id: string) => waitlist.leave(id), onSuccess });
  const offer = entry?.status === 'offered' ? entry.offer : null;
  if (offer)
    return (
      <span className="row">
        <Badge tone="warning">{t('open.held')}</Badge>
        {canJoin && (
          <Button small kind="primary" aria-label={t('open.bookNamed', { when })} onPress={() => onTake(offer.hold_id)}>
            {t('bookings.book')}
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
