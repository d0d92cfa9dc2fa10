import type { ApiKey } from '@swim/sdk';
import { Badge } from '../../design/badge.tsx';
import { Button } from '../../design/button.tsx';
import { type Column, Table } from '../../design/tables/table.tsx';
import { Ago, Instant } from '../../design/values/when.tsx';
import { type Language, useLanguage } from '../../texts/language.tsx';

interface TableProps {
  readonly label: string;
  readonly keys: readonly ApiKey[];
  readonly onRoll?: (key: ApiKey) => void;
  readonly onRevoke?: (key: ApiKey) => void;
}

const TONES = { active: 'success', expired: 'warning', revoked: 'neutral' } as const;
const SHOWN_SCOPES = 3;

function Scopes({ scopes }: { scopes: readonly string[] }) {
  const { t } = useLanguage();
  const rest = scopes.length - SHOWN_SCOPES;
  return (
    <span className="key-scopes" title={scopes.join('\n')}>
      {scopes.slice(0, SHOWN_SCOPES).map((scope) => (
        <code key={scope}>{scope}</code>
      ))}
      {rest > 0 && <span className="hint">{t('keys.moreScopes', { count: rest })}</span>}
    </span>
  );
}

function Actions({ apiKey, onRoll, onRevoke }: { apiKey: ApiKey } & Pick<TableProps, 'onRoll' | 'onRevoke'>) {
  const { t } = useLanguage();
  return (
    <span className="key-actions">
      {onRoll && !apiKey.replaced_by && (
        <Button small onPress={() => onRoll(apiKey)} aria-label={t('keys.rollOf', { name: apiKey.name })}>
          {t('keys.roll')}
        </Button>
      )}
      {onRevoke && (
        <Button small onPress={() => onRevoke(apiKey)} aria-label={t('keys.revokeOf', { name: apiKey.name })}>
          {t('keys.revoke')}
        </Button>
      )}
    </span>
  );
}

function columnsOf({ t, named }: Language, actions: Pick<TableProps, 'onRoll' | 'onRevoke'>): Column<ApiKey>[] {
  const columns: Column<ApiKey>[] = [
    {
      key: 'name',
      title: t('keys.name'),
      cell: ({ name, last4 }) => (
        <span className="key-name">
          <strong>{name}</strong>
          <code className="hint">…{last4}</code>
        </span>
      ),
    },
    { key: 'scopes', title: t('keys.scopes'), cell: ({ scopes }) => <Scopes scopes={scopes} /> },
    {
      key: 'used',
      title: t('keys.lastUsed'),
      cell: ({ last_used_at: at }) => (at ? <Ago at={at} /> : <span className="hint">{t('keys.neverUsed')}</span>),
    },
    {
      key: 'expires',
      title: t('keys.expires'),
      cell: ({ expires_at: at }) => (at ? <Instant at={at} /> : <span className="hint">{t('keys.noEnd')}</span>),
    },
    {
      key: 'status',
      title: t('keys.status'),
      cell: ({ status }) => <Badge tone={TONES[status]}>{named('keys.status', status)}</Badge>,
    },
  ];
  if (!actions.onRoll && !actions.onRevoke) return columns;
  const cell = (key: ApiKey) => <Actions apiKey={key} {...actions} />;
  return [...columns, { key: 'actions', title: t('keys.actions'), hideTitle: true, cell }];
}

/** A table of keys, without their secrets. */
export function KeyTable({ label, keys, ...actions }: TableProps) {
  const language = useLanguage();
  return <Table label={label} rows={keys} rowKey={({ id }) => id} columns={columnsOf(language, actions)} />;
}
