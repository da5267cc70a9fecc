import { configure } from "@testing-library/react";

// What is awaited on a screen may take longer than a second on a busy machine.
configure({ asyncUtilTimeout: 20_000 });
