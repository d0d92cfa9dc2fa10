import type { CalendarToken } from '@swim/sdk';
import { useMutation } from '@tanstack/react-query';
import { useLanguage } from '../texts/language.tsx';
import { Button } from './button.tsx';
import { Copyable } from './copyable.tsx';
import { ErrorNotice, Notice } from './notice.tsx';

interface CalendarFeedProps {
  /** Makes the address; an earlier one ends. */
  readonly mint: () => Promise<CalendarToken>;
  readonly revoke: () => Promise<void>;
}

/** The address at which a calendar application subscribes to lessons: made here, shown once, and ended here. */
export function CalendarFeed({ mint, revoke }: CalendarFeedProps) {
  const { t } = useLanguage();
  const making = useMutation({ mutationFn: mint });
  const ending = useMutation({ mutationFn: revoke });
  const url = making.data?.url;
  return (
    <div className="card stack">
      <p>{t('feeds.lead')}</p>
      {url && (
        <>
          <Notice kind="success">{t('feeds.once')}</Notice>
          <Copyable label={t('feeds.address')} text={url} />
        </>
      )}
      {ending.isSuccess && <Notice kind="success">{t('feeds.ended')}</Notice>}
      <ErrorNotice error={making.error ?? ending.error} />
      <div className="row">
        <Button isPending={making.isPending} onPress={() => making.mutate(undefined, { onSuccess: ending.reset })}>
          {t('feeds.make')}
        </Button>
        <Button
          kind="quiet"
          isPending={ending.isPending}
          onPress={() => ending.mutate(undefined, { onSuccess: making.reset })}
        >
          {t('feeds.end')}
        </Button>
      </div>
      <p className="hint">{t('feeds.hint')}</p>
    </div>
  );
}
