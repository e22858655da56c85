{# Its versions begin when the database says it is, not when `snapshot_get_time` does. #}
{% macro snapshot_by_the_wall_strategy(node, snapshotted_rel, current_rel, model_config, target_exists) %}
  {% set strategy = snapshot_check_strategy(node, snapshotted_rel, current_rel, model_config, target_exists) %}
  {% do return(dict(strategy, updated_at='cast(current_timestamp as timestamp)')) %}
{% endmacro %}
