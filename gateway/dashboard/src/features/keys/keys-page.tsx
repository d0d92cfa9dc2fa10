import type { ApiKey } from '@swim/sdk';
import { useState } from 'react';
import { useEnvironment } from '../../api/environment.tsx';
import { useKeys } from '../../api/keys.ts';
import { useScopes } from '../../api/me.ts';
import { Button } from '../../design/button.tsx';
import { Icon } from '../../design/icon.tsx';
import { Empty, Page, Section, Shown } from '../../design/page.tsx';
import { useLanguage } from '../../texts/language.tsx';
import { KeyTable } from './key-table.tsx';
import { NewKeyDialog } from './new-key-dialog.tsx';
import { RevokeDialog } from './revoke-dialog.tsx';
import { RollDialog } from './roll-dialog.tsx';
import './keys.css';

type Opened = { dialog: 'new' } | { dialog: 'roll' | 'revoke'; key: ApiKey } | null;

interface ListProps {
  readonly keys: readonly ApiKey[];
  readonly onOpen: (opened: Opened) => void;
  readonly canWrite: boolean;
}

function KeyLists({ keys, onOpen, canWrite }: ListProps) {
  const { t } = useLanguage();
  const active = keys.filter(({ status }) => status === 'active');
  const ended = keys.filter(({ status }) => status !== 'active');
  const actions = canWrite
    ? {
        onRoll: (key: ApiKey) => onOpen({ dialog: 'roll', key }),
        onRevoke: (key: ApiKey) => onOpen({ dialog: 'revoke', key }),
      }
    : {};
  return (
    <>
      <KeyTable label={t('keys.active')} keys={active} {...actions} />
      {ended.length > 0 && (
        <Section title={t('keys.ended')} lead={t('keys.endedLead')}>
          <KeyTable label={t('keys.ended')} keys={ended} />
        </Section>
      )}
    </>
  );
}

function Dialogs({ opened, onClose }: { opened: Opened; onClose: () => void }) {
  if (opened?.dialog === 'new') return <NewKeyDialog onClose={onClose} />;
  if (opened?.dialog === 'roll') return <RollDialog apiKey={opened.key} onClose={onClose} />;
  return opened?.dialog === 'revoke' ? <RevokeDialog apiKey={opened.key} onClose={onClose} /> : null;
}

/** The keys of the account in an environment. */
export default function KeysPage() {
  const { t } = useLanguage();
  const environment = useEnvironment();
  const query = useKeys();
  const canWrite = useScopes()('keys:write');
  const [opened, setOpened] = useState<Opened>(null);
  const add = canWrite && (
    <Button kind="primary" onPress={() => setOpened({ dialog: 'new' })}>
      <Icon name="plus" /> {t('keys.new')}
    </Button>
  );
  return (
    <Page title={t(`keys.title.${environment}`)} lead={t('keys.lead')} actions={add}>
      <Shown query={query}>
        {(keys) =>
          keys.length === 0 ? (
            <Empty title={t('keys.emptyTitle')} action={add}>
              {t(`keys.empty.${environment}`)}
            </Empty>
          ) : (
            <KeyLists keys={keys} onOpen={setOpened} canWrite={canWrite} />
          )
        }
      </Shown>
      <Dialogs opened={opened} onClose={() => setOpened(null)} />
    </Page>
  );
}
