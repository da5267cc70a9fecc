"use client";

import { useEffect, useState } from "react";

/**
 * An uncontrolled input, which says when React has taken it over. It stands in as many elements as a field of the
 * product does: at every event, React walks up through them.
 */
export default function Page() {
  const [isUsable, setUsable] = useState(false);
  useEffect(() => setUsable(true), []);
  return (
    <main>
      <div>
        <form>
          <div>
            <div>
              <div>
                <input aria-label="Name" data-usable={isUsable} />
              </div>
            </div>
          </div>
        </form>
      </div>
    </main>
  );
}
