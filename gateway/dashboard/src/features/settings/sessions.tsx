import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { dashboardApi } from '../../api/dashboard-api.ts';
import { Badge } from '../../design/badge.tsx';
import { Button } from '../../design/button.tsx';
import { ErrorNotice } from '../../design/notice.tsx';
import { Shown } from '../../design/page.tsx';
import { Ago } from '../../design/values/when.tsx';
import { useLanguage } from '../../texts/language.tsx';

interface Session {
  readonly id: string;
  readonly is_current: boolean;
  readonly network: string | null;
  readonly created_at: string;
  readonly last_used_at: string;
}

const QUERY = ['sessions'];

/** Where the user is signed in. */
export function Sessions() {
  const { t } = useLanguage();
  const queries = useQueryClient();
  const query = useQuery({ queryKey: QUERY, queryFn: () => dashboardApi.get<Session[]>('/sessions') });
  const end = useMutation({
    mutationFn: (id: string) => dashboardApi.remove(`/sessions/${id}`),
    onSuccess: () => queries.invalidateQueries({ queryKey: QUERY }),
  });
  return (
    <div className="card stack">
      <Shown query={query}>
        {(sessions) => (
          <ul className="plain-list settings-list">
            {sessions.map((session) => (
              <li key={session.id} className="row">
                <span className="settings-grow stack-tight">
                  <span>{session.network ?? '–'}</span>
                  <span className="hint">
                    {t('settings.sessionUsed')} <Ago at={session.last_used_at} />
                  </span>
                </span>
                {session.is_current ? (
                  <Badge tone="success">{t('settings.thisSession')}</Badge>
                ) : (
                  <Button small isPending={end.isPending} onPress={() => end.mutate(session.id)}>
                    {t('settings.endSession')}
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )}
      </Shown>
      <ErrorNotice error={end.error} />
    </div>
  );
}
