import type { SandboxClock } from '@swim/sdk';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useClient, useEnvironment } from '../../api/environment.tsx';
import { useMe } from '../../api/me.ts';
import { Button } from '../../design/button.tsx';
import { TextField } from '../../design/fields/fields.tsx';
import { ErrorNotice, Notice } from '../../design/notice.tsx';
import { Page, Section, Shown } from '../../design/page.tsx';
import { instantAt } from '../../design/values/wall-clock.ts';
import { useLanguage } from '../../texts/language.tsx';
import { ResetSection } from './reset-section.tsx';
import './clock.css';

const HOUR_MS = 3_600_000;
const STEPS = [
  { key: 'hour', ms: HOUR_MS },
  { key: 'day', ms: 24 * HOUR_MS },
  { key: 'week', ms: 7 * 24 * HOUR_MS },
  { key: 'month', ms: 30 * 24 * HOUR_MS },
] as const;
const POLL_MS = 1_000;

function Face({ clock }: { clock: SandboxClock }) {
  const { t, tag } = useLanguage();
  const { timezone } = useMe().account;
  const format = { dateStyle: 'full', timeStyle: 'short', timeZone: timezone } as const;
  const days = Math.round(clock.offset_seconds / 864) / 100;
  return (
    <div className="card clock">
      <p className="clock-now">{new Date(clock.now).toLocaleString(tag, format)}</p>
      <p className="hint">{days === 0 ? t('clock.real') : t('clock.ahead', { days, timezone })}</p>
      {clock.advancing && <Notice>{t('clock.advancing')}</Notice>}
    </div>
  );
}

interface StepsProps {
  readonly clock: SandboxClock;
  readonly isPending: boolean;
  readonly onAdvance: (to: string) => void;
}

function Steps({ clock, isPending, onAdvance }: StepsProps) {
  const { t } = useLanguage();
  const { timezone } = useMe().account;
  const [typed, setTyped] = useState('');
  // By the clock of the account, as the time above.
  const [date = '', time = ''] = typed.split('T');
  const until = instantAt({ date, time }, timezone);
  const isBusy = isPending || clock.advancing;
  const by = (ms: number) => new Date(Date.parse(clock.now) + ms).toISOString();
  return (
    <>
      <div className="row">
        {STEPS.map(({ key, ms }) => (
          <Button key={key} isDisabled={isBusy} onPress={() => onAdvance(by(ms))}>
            {t(`clock.${key}`)}
          </Button>
        ))}
      </div>
      <div className="row clock-date">
        <TextField label={t('clock.until')} type="datetime-local" value={typed} onChange={setTyped} />
        <Button isDisabled={isBusy || !until} isPending={isPending} onPress={() => until && onAdvance(until)}>
          {t('clock.advance')}
        </Button>
      </div>
    </>
  );
}

/** The clock of the account in the sandbox, which can be moved forward. */
export default function ClockPage() {
  const { t } = useLanguage();
  const client = useClient();
  const environment = useEnvironment();
  const queries = useQueryClient();
  const query = useQuery({
    queryKey: [environment, 'clock'],
    queryFn: ({ signal }) => client.sandbox.getClock({ signal }),
    refetchInterval: ({ state }) => (state.data?.advancing || state.data?.resetting ? POLL_MS : false),
    enabled: environment === 'sandbox',
  });
  const advance = useMutation({
    mutationFn: (to: string) => client.sandbox.advanceClock({ advance_to: to }),
    // Whatever fell due has happened.
    onSuccess: () => queries.invalidateQueries({ queryKey: [environment] }),
  });
  if (environment !== 'sandbox') return <Page title={t('nav.clock')}>{t('clock.sandboxOnly')}</Page>;
  return (
    <Page title={t('nav.clock')} lead={t('clock.lead')}>
      <Shown query={query}>
        {(clock) => (
          <>
            <Face clock={clock} />
            <Section title={t('clock.move')} lead={t('clock.moveLead')}>
              <Steps clock={clock} isPending={advance.isPending} onAdvance={(to) => advance.mutate(to)} />
              <ErrorNotice error={advance.error} />
            </Section>
            <ResetSection clock={clock} />
          </>
        )}
      </Shown>
    </Page>
  );
}
