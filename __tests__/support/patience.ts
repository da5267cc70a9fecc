import { configure } from "@testing-library/react";

// On a busy machine, an awaited element may take longer to appear than the default of one second.
configure({ asyncUtilTimeout: 20_000 });
