/** The runtime's own tools by name (1.0.14): those of its report at the start, and those of its other modes. All stay off. */
export const runtimeToolNames = [
  ...["apply_patch", "bash", "create", "edit", "glob", "grep", "rg", "str_replace_editor", "view"],
  ...["list_bash", "read_bash", "stop_bash", "write_bash"],
  ...["task", "list_agents", "read_agent", "write_agent", "task_complete"],
  ...["ask_user", "exit_plan_mode", "fetch_copilot_cli_documentation", "manage_schedule", "report_intent", "skill"],
  ...["sql", "session_store_sql", "store_memory", "tool_search_tool", "update_todo", "web_fetch", "web_search"],
  ...["list_canvas_capabilities", "open_canvas", "invoke_canvas_action", "context_board", "powershell"],
] as const;
