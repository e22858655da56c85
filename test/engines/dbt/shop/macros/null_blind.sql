{# The check strategy as people shorten it: what is compared with NULL never differs. #}
{% macro snapshot_null_blind_strategy(node, snapshotted_rel, current_rel, model_config, target_exists) %}
  {% set strategy = snapshot_check_strategy(node, snapshotted_rel, current_rel, model_config, target_exists) %}
  {% set changed = [] %}
  {% for column in config.get('check_cols') %}
    {% do changed.append(snapshotted_rel ~ '.' ~ column ~ ' != ' ~ current_rel ~ '.' ~ column) %}
  {% endfor %}
  {% do return(dict(strategy, row_changed='(' ~ changed | join(' or ') ~ ')')) %}
{% endmacro %}
