import { Button, SnackbarList } from '@wordpress/components';
import { useDispatch, useSelect } from '@wordpress/data';
import { store as notices } from '@wordpress/notices';
import type { ReactNode } from 'react';
import { logOut } from './interface.ts';

const places = [
  ['Posts', 'edit.php?post_type=post'],
  ['Pages', 'edit.php?post_type=page'],
  ['Media', 'upload.php'],
] as const;

/** What all lists have around them. */
export function Frame({ title, action, children }: { title: string; action: ReactNode; children: ReactNode }) {
  const said = useSelect((select) => select(notices).getNotices(), []);
  const { removeNotice } = useDispatch(notices);
  const leave = () => {
    logOut();
    location.assign('/');
  };
  return (
    <div className="frame">
      <header>
        <strong>Palimpsest</strong>
        <nav>
          {places.map(([name, address]) => (
            <a key={name} href={address} aria-current={name === title ? 'page' : undefined}>
              {name}
            </a>
          ))}
        </nav>
        <Button variant="tertiary" onClick={leave}>
          Log out
        </Button>
      </header>
      <main>
        <div className="heading">
          <h1>{title}</h1>
          {action}
        </div>
        {children}
      </main>
      <SnackbarList className="said" notices={said as never} onRemove={removeNotice} />
    </div>
  );
}
