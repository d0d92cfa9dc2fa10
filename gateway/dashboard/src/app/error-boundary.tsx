import { Component, type ReactNode, useEffect } from 'react';
import { Button } from '../design/button.tsx';
import { ErrorNotice } from '../design/notice.tsx';
import { useLanguage } from '../texts/language.tsx';

interface Failed {
  readonly error: unknown;
}

/** Shows an error that a page did not handle, such as a part of it that could not be loaded, in the place of the page. */
export class ErrorBoundary extends Component<{ children: ReactNode }, Failed> {
  override state: Failed = { error: null };

  static getDerivedStateFromError(error: unknown): Failed {
    return { error };
  }

  override render() {
    return this.state.error ? <Failure error={this.state.error} /> : this.props.children;
  }
}

function Failure({ error }: Failed) {
  const { t } = useLanguage();
  useEffect(() => {
    // A part of the page that could not be loaded can be now.
    const reload = () => location.reload();
    addEventListener('online', reload);
    return () => removeEventListener('online', reload);
  }, []);
  return (
    <main className="page stack">
      <ErrorNotice error={error} />
      <div>
        <Button kind="primary" onPress={() => location.reload()}>
          {t('action.reload')}
        </Button>
      </div>
    </main>
  );
}
